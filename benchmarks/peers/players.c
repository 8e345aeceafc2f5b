// Scripted players of Sum Quest over WebSockets, in C so that they are never what is slow:
//
//     players PORT SECONDS DIALECT SHOWN < paths
//
// Each line of the input is the path of one connection; two lines are a pair that plays one match after another, any
// move but none that loses at once, as fast as the server tells them. A move counts when its player has been told; its
// time runs from sending it to that. SECONDS are counted after a start that is not; with 0 the players go on until the
// server is gone, say when they are well under way, and write down in the file SHOWN how far each match had come before
// their eyes.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { TARGET = 23, MOST = 1000, ROOM = 65536, START = 2, TEXT = 1, BINARY = 2, CLOSE = 8, PING = 9, PONG = 10 };

typedef struct {
    int file, pair, seat, total, barred, player, ply;
    double sent;  // when its move was sent; 0: it waits for none
    size_t length;
    unsigned char read[ROOM];
} Player;

// Of each pair: the number of its match, how many of the two are there and have seen it end, and its counted moves.
static struct { int match, there, ended, counted; } pairs[MOST / 2];
static Player players[MOST];
static int count, counting;
static float *took;
static size_t told_moves;
static FILE *shown;
static void (*move)(Player *, int), (*again)(Player *), (*frame)(Player *, char *, size_t);

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static double busy(void) {
    struct rusage r;
    getrusage(RUSAGE_SELF, &r);
    return r.ru_utime.tv_sec + r.ru_stime.tv_sec + (r.ru_utime.tv_usec + r.ru_stime.tv_usec) * 1e-6;
}

static void fail(const char *why) {
    fprintf(stderr, "%s\n", why);
    exit(1);
}

// A frame of a client is masked; with zeros that is no work.
static void send_frame(Player *p, int kind, const void *body, size_t length) {
    unsigned char out[1024] = {0x80 | kind, 0x80 | length};
    size_t head = 6;
    if (length > sizeof out - 8) fail("a frame is too long to send");
    if (length > 125) out[1] = 0x80 | 126, out[2] = length >> 8, out[3] = length & 255, head = 8;
    memcpy(out + head, body, length);
    // When the server has been killed this fails, and the next read says so.
    if (send(p->file, out, head + length, MSG_NOSIGNAL) < 0) return;
}

#define SAY(player, ...) do { \
    char said[512]; \
    send_frame(player, TEXT, said, snprintf(said, sizeof said, __VA_ARGS__)); \
} while (0)

static Player *seat(Player *p, int number) { return &players[2 * p->pair + number]; }

static int over(Player *p) { return p->total + (p->barred == 1 ? 2 : 1) > TARGET; }

static void place(Player *p, int total, int barred, int player, int ply) {
    p->total = total, p->barred = barred, p->player = player, p->ply = ply;
}

static void acknowledge(Player *p) {
    if (p->sent && counting) took[told_moves++] = now() - p->sent, pairs[p->pair].counted++;
    p->sent = 0;
}

static void go_on(Player *p) {
    int choice, all = 0, choices[9];
    for (choice = 1; choice <= 9; choice++)
        if (choice != p->barred && p->total + choice <= TARGET) choices[all++] = choice;
    p->sent = now();
    move(p, choices[rand() % all]);
}

// The player has been shown the position that it holds now.
static void told(Player *p) {
    acknowledge(p);
    if (shown && p->ply) {
        static int moves;
        fprintf(shown, "%d-%d %d\n", p->pair, pairs[p->pair].match, p->ply);
        if (++moves == count) puts("playing"), fflush(stdout);
    }
    if (over(p)) {
        if (++pairs[p->pair].ended == 2) pairs[p->pair].ended = 0, pairs[p->pair].match++, again(seat(p, 0));
    } else if (p->player == p->seat)
        go_on(p);
}

// The first move of a pair is made when both are there.
static void arrive(Player *p) {
    if (++pairs[p->pair].there == 2) told(seat(p, 0));
}

static int number(const char *body, const char *key) {
    const char *found = strstr(body, key);
    if (!found) fail(body);
    return atoi(found + strlen(key));
}

// --- echo: any frame comes back

static void echo_move(Player *p, int choice) { SAY(p, "{\"match\":\"%d-0\",\"ply\":0,\"move\":%d}", p->pair, choice); }

static void echo_frame(Player *p, char *body, size_t length) {
    (void)body, (void)length;
    acknowledge(p);
    go_on(p);
}

// --- sqlite: the server hands on moves, and the players know the rules

static void sqlite_move(Player *p, int choice) {
    SAY(p, "{\"match\":\"%d-%d\",\"ply\":%d,\"move\":%d}", p->pair, pairs[p->pair].match, p->ply, choice);
}

static void sqlite_again(Player *p) {
    for (int i = 0; i < 2; i++) place(seat(p, i), 0, 0, 0, 0);
    told(p);
}

static void sqlite_frame(Player *p, char *body, size_t length) {
    int chosen = number(body, "\"move\":");
    (void)length;
    place(p, p->total + chosen, chosen, 1 - p->player, p->ply + 1);
    told(p);
}

// --- boardgameio: socket.io; a match begins when both have asked for it, one after the other

static void boardgameio_move(Player *p, int choice) {
    SAY(p, "42/sumquest,[\"update\",{\"type\":\"MAKE_MOVE\",\"payload\":{\"type\":\"add\",\"args\":[%d],"
        "\"playerID\":\"%d\"}},%d,\"%d-%d\",\"%d\"]", choice, p->seat, p->ply, p->pair, pairs[p->pair].match, p->seat);
}

static void boardgameio_again(Player *p) {
    SAY(p, "42/sumquest,[\"sync\",\"%d-%d\",\"%d\",null,2]", p->pair, pairs[p->pair].match, p->seat);
}

static void boardgameio_frame(Player *p, char *body, size_t length) {
    (void)length;
    if (body[0] == '0') SAY(p, "40/sumquest,");
    else if (body[0] == '2') SAY(p, "3");
    else if (!strncmp(body, "40/", 3)) {
        if (++pairs[p->pair].there == 2) again(seat(p, 0));
    } else if (!strncmp(body, "42/sumquest,[\"sync\"", 19)) {
        place(p, 0, 0, 0, 0);
        if (p->seat == 0) again(seat(p, 1));
        else told(seat(p, 0));
    } else if (!strncmp(body, "42/sumquest,[\"update\"", 21)) {
        place(p, number(body, "\"total\":"), number(body, "\"barred\":"), number(body, "\"player\":"),
              number(body, "\"_stateID\":"));
        told(p);
    }
}

// --- colyseus: one byte for the kind; a state is a list of (field, value), and a patch has those that have changed

enum { JOIN_ROOM = 10, ERROR = 11, ROOM_DATA = 13, ROOM_STATE = 14, ROOM_STATE_PATCH = 15 };

static void colyseus_move(Player *p, int choice) { send_frame(p, BINARY, (char[]){ROOM_DATA, 1, choice}, 3); }

static void colyseus_again(Player *p) { send_frame(p, BINARY, (char[]){ROOM_DATA, 2}, 2); }

static void colyseus_frame(Player *p, char *body, size_t length) {
    int *fields[] = {&p->total, &p->barred, &p->player};
    if (body[0] == JOIN_ROOM) send_frame(p, BINARY, (char[]){JOIN_ROOM}, 1);
    else if (body[0] == ERROR) fail("refused by the room");
    else if (body[0] == ROOM_STATE || body[0] == ROOM_STATE_PATCH) {
        for (size_t at = 1; at + 1 < length; at += 2) {
            if ((body[at] & 63) > 2) fail("a field that is not in the position");
            *fields[body[at] & 63] = (unsigned char)body[at + 1];
        }
        if (body[0] == ROOM_STATE) arrive(p);
        else told(p);
    }
}

// --- connections

static void connect_player(Player *p, int port, const char *path) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    char head[2048] = "";
    p->file = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(p->file, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    if (connect(p->file, (void *)&at, sizeof at)) fail("the server does not listen");
    dprintf(p->file, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n", path, port);
    for (size_t n = 0; !strstr(head, "\r\n\r\n"); n++)
        if (n == sizeof head - 1 || read(p->file, head + n, 1) != 1) fail("no handshake");
    if (strncmp(head, "HTTP/1.1 101", 12)) fail(head);
    fcntl(p->file, F_SETFL, O_NONBLOCK);
}

// Take the frames apart. False when the connection is gone.
static int receive(Player *p) {
    ssize_t got = read(p->file, p->read + p->length, ROOM - 1 - p->length);
    if (got <= 0) return got < 0 && errno == EAGAIN ? 1 : close(p->file);
    p->length += got;
    size_t at = 0;
    while (p->length - at >= 2) {
        unsigned char *f = p->read + at;
        size_t head = 2, length = f[1] & 127;
        if (length == 126) {
            if (p->length - at < 4) break;
            length = f[2] << 8 | f[3], head = 4;
        } else if (length == 127)
            fail("a frame is too long to read");
        if (p->length - at < head + length) break;
        char *body = (char *)f + head, after = body[length];
        int kind = f[0] & 15;
        if (kind == CLOSE) return close(p->file);
        if (kind == PING) send_frame(p, PONG, body, length);
        // A text ends with 0 for strstr; what stands there belongs to the next frame.
        body[length] = 0;
        if (kind == TEXT || kind == BINARY) frame(p, body, length);
        body[length] = after;
        at += head + length;
    }
    memmove(p->read, p->read + at, p->length -= at);
    return 1;
}

static int by_size(const void *a, const void *b) {
    float x = *(float *)a, y = *(float *)b;
    return (x > y) - (x < y);
}

int main(int arguments, char **argument) {
    if (arguments != 5) fail("players PORT SECONDS DIALECT SHOWN < paths");
    int port = atoi(argument[1]), poll = epoll_create1(0), gone = 0;
    double seconds = atof(argument[2]), began, ends, own = 0;
    const char *dialect = argument[3];
    if (!strcmp(dialect, "echo")) move = echo_move, frame = echo_frame;
    else if (!strcmp(dialect, "sqlite")) move = sqlite_move, again = sqlite_again, frame = sqlite_frame;
    else if (!strcmp(dialect, "boardgameio"))
        move = boardgameio_move, again = boardgameio_again, frame = boardgameio_frame;
    else if (!strcmp(dialect, "colyseus")) move = colyseus_move, again = colyseus_again, frame = colyseus_frame;
    else fail("no such dialect");
    if (!seconds && !(shown = fopen(argument[4], "w"))) fail("the file cannot be written");
    took = malloc(sizeof *took * (size_t)(1000000 * (seconds + 1)));

    for (char path[1024]; count < MOST && fgets(path, sizeof path, stdin); count++) {
        Player *p = &players[count];
        path[strcspn(path, "\n")] = 0;
        p->pair = count / 2, p->seat = count % 2;
        connect_player(p, port, path);
        epoll_ctl(poll, EPOLL_CTL_ADD, p->file, &(struct epoll_event){.events = EPOLLIN, .data.ptr = p});
    }
    for (int i = 0; i < count; i++) {
        if (frame == echo_frame) go_on(&players[i]);
        if (frame == sqlite_frame) arrive(&players[i]);
    }
    for (began = now() + START, ends = began + seconds; seconds ? !gone && now() < ends : gone < count;) {
        struct epoll_event events[MOST];
        if (!counting && seconds && now() >= began) {
            counting = 1, began = now(), ends = began + seconds, own = busy();
            puts("counting"), fflush(stdout);
        }
        for (int n = epoll_wait(poll, events, MOST, 100); n-- > 0;) gone += !receive(events[n].data.ptr);
    }
    seconds = now() - began, own = busy() - own;
    if (shown) return fclose(shown);
    if (gone) fail("a connection was lost");
    // A pair that waits for ever would make the others look quick.
    for (int i = 0; i < count / 2; i++)
        if (!pairs[i].counted) fail("a pair has stopped playing");
    qsort(took, told_moves, sizeof *took, by_size);
    printf("{\"moves_per_second\": %.1f, \"p50_ms\": %.3f, \"p99_ms\": %.3f, \"players_busy\": %.3f}\n",
           told_moves / seconds, 1000 * took[told_moves / 2], 1000 * took[told_moves * 99 / 100], own / seconds);
    return 0;
}
