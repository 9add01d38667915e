// WebServer
