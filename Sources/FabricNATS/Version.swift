internal import CNATS

func version() -> String { String(cString: nats_GetVersion()) }
