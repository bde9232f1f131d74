/* Preloaded: the time of day is the system's and so many seconds more, which a file says (a double, mapped).
   What measures how long something takes (CLOCK_MONOTONIC) is left alone. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile double *ahead;
static int (*system_clock)(clockid_t, struct timespec *);

__attribute__((constructor)) static void begin(void) {
  system_clock = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  const char *path = getenv("CLOCK_AHEAD");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *map = mmap(NULL, sizeof(double), PROT_READ, MAP_SHARED, file, 0);
  if (map != MAP_FAILED) ahead = map;
  close(file);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  if (!system_clock) begin();
  int failed = system_clock(clock, now);
  if (failed || !ahead || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)) return failed;
  double whole = (double)(long long)*ahead;
  now->tv_sec += (time_t)whole;
  now->tv_nsec += (long)((*ahead - whole) * 1e9);
  if (now->tv_nsec >= 1000000000L) { now->tv_nsec -= 1000000000L; now->tv_sec++; }
  if (now->tv_nsec < 0) { now->tv_nsec += 1000000000L; now->tv_sec--; }
  return 0;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  (void)zone;
  struct timespec spec;
  if (clock_gettime(CLOCK_REALTIME, &spec)) return -1;
  now->tv_sec = spec.tv_sec;
  now->tv_usec = spec.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *out) {
  struct timespec spec;
  if (clock_gettime(CLOCK_REALTIME, &spec)) return (time_t)-1;
  if (out) *out = spec.tv_sec;
  return spec.tv_sec;
}
