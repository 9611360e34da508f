// recorder ROOT LOG SYNC_MS command …: runs a command and writes down, in order, everything that it and whatever it starts does to
// the files below ROOT, before it is done. A sync is answered by the recorder itself, SYNC_MS after it was asked for. What a power cut
// would leave is worked out from the log (disk.ts). Needs no privilege: the kernel hands each call over (seccomp, Linux 5.6).
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif
#define MAX_DATA (64u << 20)
#define MAX_HELD 256

static const char *root;
static size_t root_length;
static int log_fd, listener;
static long sync_ms;
static uint32_t syncs;
static struct held { uint64_t id; uint32_t sync; int64_t due; } held[MAX_HELD];
static int held_count;

static void die(const char *what) {
  perror(what);
  exit(70);
}

static int64_t now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

// One record: type, number, two paths, offset, data; written in one piece.
static void note(char type, uint32_t number, const char *path, const char *other, uint64_t offset, const void *data, uint32_t length) {
  uint32_t a = strlen(path), b = strlen(other);
  struct iovec parts[] = {{&type, 1}, {&number, 4}, {&a, 4}, {&b, 4}, {&offset, 8}, {&length, 4},
                          {(void *)path, a}, {(void *)other, b}, {(void *)data, length}};
  size_t all = 25 + a + b + length;
  if (writev(log_fd, parts, 9) != (ssize_t)all) die("log");
}

static int is_inside(const char *path) {
  return strncmp(path, root, root_length) == 0 && (path[root_length] == '/' || path[root_length] == 0);
}

static int read_memory(pid_t pid, uint64_t at, void *into, size_t length) {
  struct iovec mine = {into, length}, theirs = {(void *)at, length};
  return process_vm_readv(pid, &mine, 1, &theirs, 1, 0) == (ssize_t)length ? 0 : -1;
}

static int read_text(pid_t pid, uint64_t at, char *into) {
  for (size_t got = 0; got < PATH_MAX;) {
    size_t step = 256 - ((at + got) & 255);
    if (got + step > PATH_MAX) step = PATH_MAX - got;
    if (read_memory(pid, at + got, into + got, step) != 0) return -1;
    if (memchr(into + got, 0, step)) return 0;
    got += step;
  }
  return -1;
}

static int linked(pid_t pid, const char *what, char *into) {
  char name[64];
  snprintf(name, sizeof name, "/proc/%d/%s", pid, what);
  ssize_t length = readlink(name, into, PATH_MAX - 1);
  if (length < 0) return -1;
  into[length] = 0;
  return 0;
}

// The path of an open file below the root; -1 for anything else, also for one that has no name any more.
static int of_file(pid_t pid, int fd, char *into) {
  char name[32];
  snprintf(name, sizeof name, "fd/%d", fd);
  if (linked(pid, name, into) != 0 || !is_inside(into)) return -1;
  size_t length = strlen(into);
  return length > 10 && strcmp(into + length - 10, " (deleted)") == 0 ? -1 : 0;
}

// The path that a call names, its folder without links.
static int of_path(pid_t pid, int folder, uint64_t at, char *into) {
  static char text[PATH_MAX], whole[2 * PATH_MAX + 2], first[2 * PATH_MAX + 2], second[2 * PATH_MAX + 2], real[PATH_MAX];
  if (read_text(pid, at, text) != 0) return -1;
  if (text[0] == '/') strcpy(whole, text);
  else {
    char base[PATH_MAX], name[32];
    snprintf(name, sizeof name, "fd/%d", folder);
    if (linked(pid, folder == AT_FDCWD ? "cwd" : name, base) != 0) return -1;
    snprintf(whole, sizeof whole, "%s/%s", base, text);
  }
  strcpy(first, whole);
  strcpy(second, whole);
  if (!realpath(dirname(first), real)) return -1;
  int length = snprintf(into, PATH_MAX, "%s/%s", strcmp(real, "/") == 0 ? "" : real, basename(second));
  return length < PATH_MAX && is_inside(into) ? 0 : -1;
}

static int exists(const char *path) {
  struct stat s;
  return lstat(path, &s) == 0;
}

static uint64_t position(pid_t pid, int fd, const char *path) {
  char name[64], line[128];
  unsigned long long pos = 0;
  unsigned flags = 0;
  snprintf(name, sizeof name, "/proc/%d/fdinfo/%d", pid, fd);
  FILE *info = fopen(name, "r");
  if (!info) return 0;
  while (fgets(line, sizeof line, info)) {
    sscanf(line, "pos: %llu", &pos);
    sscanf(line, "flags: %o", &flags);
  }
  fclose(info);
  struct stat s;
  if ((flags & O_APPEND) && stat(path, &s) == 0) return s.st_size;
  return pos;
}

static void note_data(pid_t pid, const char *path, uint64_t offset, uint64_t at, uint64_t length) {
  if (length > MAX_DATA) return note('!', 0, path, "a write too long", 0, "", 0);
  char *data = malloc(length ? length : 1);
  if (length == 0 || read_memory(pid, at, data, length) == 0) note('W', 0, path, "", offset, data, length);
  free(data);
}

static void note_vector(pid_t pid, const char *path, uint64_t offset, uint64_t at, uint64_t count) {
  struct iovec parts[1024];
  if (count > 1024 || read_memory(pid, at, parts, count * sizeof *parts) != 0) return;
  for (uint64_t i = 0; i < count; offset += parts[i++].iov_len)
    note_data(pid, path, offset, (uint64_t)parts[i].iov_base, parts[i].iov_len);
}

static void opened(pid_t pid, int folder, uint64_t at, int flags) {
  char path[PATH_MAX];
  if (of_path(pid, folder, at, path) != 0) return;
  if (!exists(path)) {
    if (flags & O_CREAT) note('C', 0, path, "", 0, "", 0);
  } else if ((flags & O_TRUNC) && !(flags & O_EXCL)) note('T', 0, path, "", 0, "", 0);
}

static void renamed(pid_t pid, int from, uint64_t old, int to, uint64_t new) {
  char path[PATH_MAX], other[PATH_MAX];
  int a = of_path(pid, from, old, path), b = of_path(pid, to, new, other);
  if (a == 0 && b == 0 && exists(path)) note('R', 0, path, other, 0, "", 0);
  else if (a == 0 || b == 0) note('!', 0, a == 0 ? path : other, "moved over the edge", 0, "", 0);
}

static void removed(pid_t pid, int folder, uint64_t at) {
  char path[PATH_MAX];
  if (of_path(pid, folder, at, path) == 0 && exists(path)) note('U', 0, path, "", 0, "", 0);
}

static void linked_to(pid_t pid, int from, uint64_t old, int to, uint64_t new) {
  char path[PATH_MAX], other[PATH_MAX];
  if (of_path(pid, from, old, path) == 0 && of_path(pid, to, new, other) == 0 && exists(path) && !exists(other))
    note('L', 0, path, other, 0, "", 0);
}

static void made_link(pid_t pid, uint64_t text, int folder, uint64_t at) {
  char path[PATH_MAX], target[PATH_MAX];
  if (of_path(pid, folder, at, path) == 0 && !exists(path) && read_text(pid, text, target) == 0)
    note('S', 0, path, target, 0, "", 0);
}

static void made_folder(pid_t pid, int folder, uint64_t at) {
  char path[PATH_MAX];
  if (of_path(pid, folder, at, path) == 0 && !exists(path)) note('D', 0, path, "", 0, "", 0);
}

static void unknown(pid_t pid, int fd, const char *what) {
  char path[PATH_MAX];
  if (of_file(pid, fd, path) == 0) note('!', 0, path, what, 0, "", 0);
}

static void allocated(pid_t pid, int fd, int mode, uint64_t size) {
  char path[PATH_MAX];
  struct stat s;
  if (mode != 0) return unknown(pid, fd, "fallocate");
  if (of_file(pid, fd, path) == 0 && stat(path, &s) == 0 && (uint64_t)s.st_size < size) note('T', 0, path, "", size, "", 0);
}

static void reply(uint64_t id, uint32_t flags) {
  struct seccomp_notif_resp response = {.id = id, .flags = flags};
  // ENOENT: it is gone, or asks again after a signal.
  if (ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response) != 0 && errno != ENOENT) die("reply");
}

// True: it is answered later.
static int synced(uint64_t id, pid_t pid, int fd) {
  char path[PATH_MAX];
  if (of_file(pid, fd, path) != 0 || held_count == MAX_HELD) return 0;
  note('B', ++syncs, path, "", 0, "", 0);
  held[held_count++] = (struct held){id, syncs, now_ms() + sync_ms};
  return 1;
}

static int handle(const struct seccomp_notif *call) {
  pid_t pid = call->pid;
  const __u64 *a = call->data.args;
  char path[PATH_MAX];
  switch (call->data.nr) {
#ifdef __NR_open
  case __NR_open: opened(pid, AT_FDCWD, a[0], a[1]); break;
  case __NR_creat: opened(pid, AT_FDCWD, a[0], O_CREAT | O_TRUNC); break;
  case __NR_rename: renamed(pid, AT_FDCWD, a[0], AT_FDCWD, a[1]); break;
  case __NR_unlink: case __NR_rmdir: removed(pid, AT_FDCWD, a[0]); break;
  case __NR_link: linked_to(pid, AT_FDCWD, a[0], AT_FDCWD, a[1]); break;
  case __NR_symlink: made_link(pid, a[0], AT_FDCWD, a[1]); break;
  case __NR_mkdir: made_folder(pid, AT_FDCWD, a[0]); break;
#endif
#ifdef __NR_renameat
  case __NR_renameat:
#endif
  case __NR_renameat2: renamed(pid, a[0], a[1], a[2], a[3]); break;
  case __NR_openat: opened(pid, a[0], a[1], a[2]); break;
  case __NR_unlinkat: removed(pid, a[0], a[1]); break;
  case __NR_linkat: linked_to(pid, a[0], a[1], a[2], a[3]); break;
  case __NR_symlinkat: made_link(pid, a[0], a[1], a[2]); break;
  case __NR_mkdirat: made_folder(pid, a[0], a[1]); break;
  case __NR_write: if (of_file(pid, a[0], path) == 0) note_data(pid, path, position(pid, a[0], path), a[1], a[2]); break;
  case __NR_writev: if (of_file(pid, a[0], path) == 0) note_vector(pid, path, position(pid, a[0], path), a[1], a[2]); break;
  case __NR_pwrite64: if (of_file(pid, a[0], path) == 0) note_data(pid, path, a[3], a[1], a[2]); break;
  case __NR_pwritev: case __NR_pwritev2: if (of_file(pid, a[0], path) == 0) note_vector(pid, path, a[3], a[1], a[2]); break;
  case __NR_ftruncate: if (of_file(pid, a[0], path) == 0) note('T', 0, path, "", a[1], "", 0); break;
  case __NR_truncate: if (of_path(pid, AT_FDCWD, a[0], path) == 0) note('T', 0, path, "", a[1], "", 0); break;
  case __NR_fsync: case __NR_fdatasync: return synced(call->id, pid, a[0]);
  case __NR_openat2: note('!', 0, "", "openat2", 0, "", 0); break;
  case __NR_fallocate: allocated(pid, a[0], a[1], a[2] + a[3]); break;
  case __NR_sendfile: unknown(pid, a[0], "sendfile"); break;
  case __NR_copy_file_range: case __NR_splice: unknown(pid, a[2], "copied inside the kernel"); break;
  case __NR_mmap:
    // The index of the log of SQLite is made anew after a crash.
    if (of_file(pid, a[4], path) == 0 && !(strlen(path) > 4 && strcmp(path + strlen(path) - 4, "-shm") == 0)) note('!', 0, path, "mapped for writing", 0, "", 0);
    break;
  }
  return 0;
}

#define OP BPF_STMT
#define LOAD(field) OP(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define WORD(n) OP(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[n]))
#define IF(number, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, yes, no)
#define ANY(bits, yes, no) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, yes, no)
#define ALLOW OP(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define TELL OP(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF)
#define EACH(number) IF(number, 0, 1), TELL
#define CHANGES (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)

static int install(void) {
  struct sock_filter rules[] = {
      LOAD(nr),
      IF(__NR_openat, 0, 4), WORD(2), ANY(CHANGES, 0, 1), TELL, ALLOW,
      IF(__NR_mmap, 0, 5), WORD(3), ANY(MAP_ANONYMOUS, 2, 0), ANY(MAP_SHARED, 0, 1), TELL, ALLOW,
#ifdef __NR_open
      IF(__NR_open, 0, 4), WORD(1), ANY(CHANGES, 0, 1), TELL, ALLOW,
      EACH(__NR_creat), EACH(__NR_rename), EACH(__NR_unlink), EACH(__NR_rmdir), EACH(__NR_link), EACH(__NR_symlink), EACH(__NR_mkdir),
#endif
#ifdef __NR_renameat
      EACH(__NR_renameat),
#endif
      EACH(__NR_renameat2), EACH(__NR_unlinkat), EACH(__NR_linkat), EACH(__NR_symlinkat), EACH(__NR_mkdirat), EACH(__NR_write),
      EACH(__NR_writev), EACH(__NR_pwrite64), EACH(__NR_pwritev), EACH(__NR_pwritev2), EACH(__NR_ftruncate), EACH(__NR_truncate),
      EACH(__NR_fsync), EACH(__NR_fdatasync), EACH(__NR_fallocate), EACH(__NR_sendfile), EACH(__NR_copy_file_range), EACH(__NR_splice),
      EACH(__NR_openat2), ALLOW};
  struct sock_fprog program = {sizeof rules / sizeof *rules, rules};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  unsigned long flags = SECCOMP_FILTER_FLAG_NEW_LISTENER;
  int fd = syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, flags | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, &program);
  return fd >= 0 ? fd : (int)syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
}

// The listener goes from child to parent; sendmsg is not among what is handed over.
static void pass(int socket, int fd) {
  char byte = 0, room[CMSG_SPACE(sizeof fd)] = {0};
  struct iovec part = {&byte, 1};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
  struct cmsghdr *c = CMSG_FIRSTHDR(&message);
  c->cmsg_level = SOL_SOCKET, c->cmsg_type = SCM_RIGHTS, c->cmsg_len = CMSG_LEN(sizeof fd);
  memcpy(CMSG_DATA(c), &fd, sizeof fd);
  if (sendmsg(socket, &message, 0) < 0) _exit(71);
}

static int take(int socket) {
  char byte, room[CMSG_SPACE(sizeof(int))];
  struct iovec part = {&byte, 1};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
  int fd = -1;
  if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != 1 || !CMSG_FIRSTHDR(&message)) return -1;
  memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof fd);
  return fd;
}

int main(int argc, char **argv) {
  if (argc < 5) return fprintf(stderr, "recorder ROOT LOG SYNC_MS command …\n"), 64;
  if (!(root = realpath(argv[1], NULL))) die(argv[1]);
  root_length = strlen(root);
  sync_ms = atol(argv[3]);
  if ((log_fd = open(argv[2], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)) < 0) die(argv[2]);
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) die("socketpair");
  signal(SIGCHLD, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  if (fork() == 0) {
    signal(SIGCHLD, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    int fd = install();
    if (fd < 0) _exit(72);
    pass(pair[0], fd);
    close(fd);
    execvp(argv[4], argv + 4);
    _exit(127);
  }
  close(pair[0]);
  if ((listener = take(pair[1])) < 0) die("no listener (is seccomp allowed here?)");
  struct seccomp_notif_sizes sizes;
  if (syscall(__NR_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes) != 0) die("sizes");
  struct seccomp_notif *call = malloc(sizes.seccomp_notif);
  for (;;) {
    // What was synced is answered only after the log says so.
    int64_t wait = -1, now = now_ms();
    for (int i = 0; i < held_count;) {
      if (held[i].due <= now) {
        note('E', held[i].sync, "", "", 0, "", 0);
        reply(held[i].id, 0);
        held[i] = held[--held_count];
      } else {
        if (wait < 0 || held[i].due - now < wait) wait = held[i].due - now;
        i++;
      }
    }
    struct pollfd poll_fd = {listener, POLLIN, 0};
    if (poll(&poll_fd, 1, (int)wait) < 0 && errno != EINTR) die("poll");
    if (poll_fd.revents & POLLIN) {
      memset(call, 0, sizes.seccomp_notif);
      if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, call) != 0) continue;
      if (!handle(call)) reply(call->id, SECCOMP_USER_NOTIF_FLAG_CONTINUE);
    } else if (poll_fd.revents & POLLHUP) return 0;
  }
}
