print("flowbridge")
