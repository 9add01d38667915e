// A bare server and an audience of many members, for benchmarks: the least that the kernel's
// sockets cost, and a client that is cheap enough not to limit the server that it measures. Nothing
// here is part of Lectern.
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Listens on 127.0.0.1, prints the port and sends messages of a size to every client, a number of
   times a second, in one epoll loop with one send() a message. Runs until SIGTERM. Returns 1 if it
   cannot start. */
int load_floor(size_t size, double hz);

/* What the members of an audience send, and where to. The bytes are copied. */
struct load_plan {
  uint16_t port;
  int members;
  /* The hellos, which the members send in turn; none for clients of load_floor, which send
     nothing. */
  const uint8_t *const *hellos;
  const size_t *hello_sizes;
  int hello_count;
  /* The seconds over which the members' connections are spread; 0 to connect at once. */
  double join_within;
  /* A clock message with its time at offset 1, and the seconds between two of a member; 0 for
     none. */
  const uint8_t *probe;
  size_t probe_size;
  double probe_every;
  /* An ack with its frame number at offset 1, and the seconds after a frame until it is sent; 0 for
     none. */
  const uint8_t *ack;
  size_t ack_size;
  double ack_after;
};

struct load_counts {
  /* Messages and bytes of payload, over all members. */
  uint64_t messages, bytes;
  /* Frames that a finger drove, and frames that were sent ahead, over all members. */
  uint64_t driven, flown;
  /* Reads from sockets, which are fewer than messages if several arrive together. */
  uint64_t reads;
  /* Connections that have ended. */
  uint64_t closed;
};

struct load_audience;

/* Connects all members from addresses of 127/8 and returns when each has received its first frame;
   NULL with a reason in errno: ETIMEDOUT after the given seconds, EPROTO if a first frame does not
   show the whole stage. The longest time that a member waited for it is stored in took, or the
   whole time if join_within is 0. */
struct load_audience *load_audience_open(const struct load_plan *plan, double timeout,
                                         double *took);

/* Plays the members for a while on the calling thread. */
void load_audience_run(struct load_audience *audience, double seconds);

/* Returns what has arrived since the last call, and resets it. */
struct load_counts load_audience_take(struct load_audience *audience);

/* Copies the seconds from each driven frame's time to its arrival, of every 16th member, and resets
   them. Returns their number, at most count. */
size_t load_audience_delays(struct load_audience *audience, float *delays, size_t count);

void load_audience_close(struct load_audience *audience);

/* A member that acts: it sends one message at a rate and notes how long after each message the
   frame arrives that it drives. If the system permits it, no other client delays it. */
struct load_actor_plan {
  uint16_t port;
  const uint8_t *hello;
  size_t hello_size;
  /* Messages that are sent once, in order, with a pause after each, before the repeated ones. */
  const uint8_t *const *first;
  const size_t *first_sizes;
  int first_count;
  double pause;
  /* The repeated messages, which take turns and have one size. If x_offset is not 0, a Float32
     there swings between x_least and x_most. */
  const uint8_t *messages[2];
  size_t message_size;
  size_t x_offset;
  float x_least, x_most;
  double hz;
};

struct load_actor;

/* Starts an actor on a thread of its own; NULL with a reason in errno. */
struct load_actor *load_actor_start(const struct load_actor_plan *plan);

/* Copies the seconds from each message to the arrival of its frame, and resets them. */
size_t load_actor_delays(struct load_actor *actor, float *delays, size_t count);

/* Makes the actor pause, or act again. */
void load_actor_pause(struct load_actor *actor, int pauses);

void load_actor_stop(struct load_actor *actor);

/* Clients that request one path again and again and discard what they receive. */
struct load_downloads;

/* Starts a number of clients from addresses of 127/8, on a thread that runs only when no other
   wants its processor; NULL with a reason in errno. */
struct load_downloads *load_downloads_start(uint16_t port, const char *path, int count);

/* Ends the clients and stores the bytes that arrived and the responses that ended; returns the
   number of responses that were not 200, or of clients that were disconnected. */
int load_downloads_stop(struct load_downloads *downloads, uint64_t *bytes, uint64_t *responses);

/* Binds the calling thread, and what it starts, to one processor; -1 means all. Returns 0, or -1
   with errno. */
int load_bind(int processor);

/* Lets the calling thread run only when no other thread wants its processor, or like any other
   again. Returns 0, or -1 with errno. */
int load_yield(int yields);

/* Returns the nanoseconds that all threads of a process have run, by the kernel's accounting; 0 if
   there is no such process. Counts 256 threads at most. */
uint64_t load_run_time(int pid);

/* Limits each of the threads of a process that have run longest to a share of a processor, from 0
   to 1, whatever the others do. Returns 0, or -1 with errno: EPERM without the right to do so. */
int load_limit_busiest(int pid, int threads, double share);

/* Returns the nanoseconds that the calling thread has run. */
uint64_t load_own_run_time(void);

/* The bytes of the heap of this process that are in use. */
size_t load_heap_bytes(void);
