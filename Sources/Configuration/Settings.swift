struct Settings {}
