print("pushward-emulator")
