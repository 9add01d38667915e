// Bookwork
