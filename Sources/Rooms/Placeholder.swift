// Rooms
