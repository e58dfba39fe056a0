// A CUDA driver whose only card is the host, for tests of crates/cuda/src/driver.rs: it has the functions of libcuda.so that driver.rs
// calls. The kernels are those of the shim, found by name in the module that holds their PTX. They run as soon as they are launched, one
// launch at a time.
//
// Memory is filled with a pattern that is not a number before it is handed out, and a guard word behind it must not
// be written. The environment variable SHIM_DRIVER selects a failure: `old`, `start`, `none` (no card), `first` (the
// first of two cards), `capability`, `pool` and `threshold` (the memory pool, and how much it keeps), `memory`,
// `crowded` (large pieces of memory only), `launch` (the card is lost then, and later calls fail too), `clock` (events
// that measure time), `locked` (locked memory of the host). Two failures happen once, for lack of memory: `stream`
// (the fourth stream) and `full` (the second launch).
#pragma once
#include "cuda.hpp"
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>

enum Result { SUCCESS = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NO_BINARY = 209, INVALID_HANDLE = 400, NOT_FOUND = 500, LAUNCH_FAILED = 719, UNKNOWN = 999 };

static bool goes_wrong(const char* what) {
    const char* said = getenv("SHIM_DRIVER");
    return said != nullptr && strcmp(said, what) == 0;
}

// The attributes of the card: 227 kB of shared memory for a block that asks for it, a cache of 1 MB, one
// multiprocessor, compute capability 8.0.
static int attribute_of_card(int attribute) {
    switch (attribute) {
    case 16: return 1;                                  // multiprocessors
    case 38: return 1 << 20;                            // second-level cache
    case 75: return goes_wrong("capability") ? 7 : 8;   // capability, major
    case 97: return 227 << 10;                          // maximum shared memory of a block
    case 115: return 1;                                 // memory pools
    default: return 0;
    }
}
constexpr u32 SHARED_UNASKED = 48 << 10, MOST_THREADS = 1024;

// A kernel that takes its arguments by pointers.
typedef std::function<void(void**)> Entry;
template <typename... A, size_t... I>
static Entry entry_of(void (*kernel)(A...), std::index_sequence<I...>) {
    return [=](void** arguments) { kernel(*(A*)arguments[I]...); };
}
template <typename... A>
static Entry entry(void (*kernel)(A...)) {
    return entry_of(kernel, std::index_sequence_for<A...>());
}
// Like entry_of, for a kernel whose first argument is a number of rounds: always runs one round.
template <typename... A, size_t... I>
static Entry one_round_of(void (*kernel)(u32, A...), std::index_sequence<I...>) {
    return [=](void** arguments) { kernel(1, *(A*)arguments[I + 1]...); };
}
template <typename... A>
static Entry one_round(void (*kernel)(u32, A...)) {
    return one_round_of(kernel, std::index_sequence_for<A...>());
}
static const std::map<std::string, Entry>& entries();

struct Module {
    std::string ptx;
};
struct Function {
    std::string name;
    const Entry* run;
    u32 shared;  // bytes that a launch may ask for
};

// The pending work of a stream, in order: copies that use locked memory of the host, and events after them. The work is done only when the
// program waits for it or a kernel follows, so that a program that writes or frees this memory too early is caught.
struct Stream {
    std::vector<std::function<void()>> left;
};

// The simulated clock of the card: a kernel takes 2 ms; an inversion or a copy takes 1 ms.
static float milliseconds = 0;

// An event: the time at which a stream reached it.
constexpr unsigned DISABLE_TIMING = 2;
struct Moment {
    unsigned flags;
    Stream* stream;  // the stream that has not reached the event yet
    bool recorded;
    float at;
};
typedef std::shared_ptr<Moment> Event;

// A piece of locked memory of the host: its size, and the number of pending copies.
struct Locked {
    size_t bytes;
    u32 copies;
};

// Counts of launches of each kernel, of locked memory, of events recorded and waited for, and of memory pools. They are printed when the
// process ends.
struct Said {
    std::map<std::string, u32> of;
    std::map<char*, Locked> locked;
    u32 pieces = 0, copies = 0, recorded = 0, waits = 0, pools = 0, left = 0;
    ~Said() {
        if (of.empty()) return;
        for (auto& [name, times] : of) fprintf(stderr, "%s: %u launches\n", name.c_str(), times);
        fprintf(stderr, "locked: %u pieces, %u copies, %zu left\n", pieces, copies, locked.size());
        fprintf(stderr, "events: %u recorded, %u waited for\n", recorded, waits);
        fprintf(stderr, "pools: %u made, %u left\n", pools, left);
    }
};
static Said said;
static std::set<Stream*> streams;
static bool is_lost = false;  // after an error of a kernel, which every later call returns
static std::recursive_mutex one_at_a_time;
typedef std::lock_guard<std::recursive_mutex> Guard;

static void finish(Stream* stream) {
    std::vector<std::function<void()>> left;
    left.swap(stream->left);
    for (auto& what : left) what();
}

// Returns the piece of locked memory that contains this address, or a null pointer.
static Locked* locked_at(const void* at) {
    auto behind = said.locked.upper_bound((char*)at);
    if (behind == said.locked.begin()) return nullptr;
    auto& [first, piece] = *--behind;
    return (char*)at < first + piece.bytes ? &piece : nullptr;
}
static int copy(void* to, const void* from, size_t bytes, Locked* locked, void* stream) {
    Guard guard(one_at_a_time);
    if (locked == nullptr) {
        finish((Stream*)stream);
        memcpy(to, from, bytes);
        milliseconds++;
        return SUCCESS;
    }
    said.copies++;
    locked->copies++;
    ((Stream*)stream)->left.push_back([=] {
        memcpy(to, from, bytes);
        milliseconds++;
        locked->copies--;
    });
    return SUCCESS;
}

constexpr u32 BEHIND = 0x5afe5afe, UNWRITTEN = 0xabadcafe;

extern "C" {
int cuDriverGetVersion(int* version) {
    *version = goes_wrong("old") ? 11040 : 12020;
    return SUCCESS;
}
int cuInit(unsigned) { return goes_wrong("start") ? UNKNOWN : SUCCESS; }
int cuGetErrorName(int, const char** name) {
    *name = "SHIM_ERROR";
    return SUCCESS;
}
int cuGetErrorString(int, const char** text) {
    *text = "an error of the shim";
    return SUCCESS;
}

int cuDeviceGetCount(int* count) {
    *count = goes_wrong("none") ? 0 : goes_wrong("first") ? 2 : 1;
    return SUCCESS;
}
int cuDeviceGet(int* device, int number) {
    *device = number;
    return SUCCESS;
}
int cuDeviceGetName(char* name, int length, int) {
    snprintf(name, length, "the host");
    return SUCCESS;
}
int cuDeviceGetAttribute(int* value, int attribute, int) {
    *value = attribute_of_card(attribute);
    return SUCCESS;
}
int cuDevicePrimaryCtxRetain(void** context, int device) {
    if (goes_wrong("first") && device == 0) return UNKNOWN;
    static char only;
    *context = &only;
    return SUCCESS;
}
int cuDevicePrimaryCtxRelease_v2(int) { return SUCCESS; }
int cuCtxSetCurrent(void*) { return SUCCESS; }
int cuCtxGetCurrent(void** context) { return cuDevicePrimaryCtxRetain(context, 1); }

int cuModuleLoadData(void** module, const void* image) {
    const char* text = (const char*)image;
    if (strncmp(text, "\x7f" "ELF", 4) == 0) return NO_BINARY;
    *module = new Module{text};
    return SUCCESS;
}
int cuModuleUnload(void* module) {
    delete (Module*)module;
    return SUCCESS;
}
int cuModuleGetFunction(void** function, void* module, const char* name) {
    auto found = entries().find(name);
    bool is_there = ((Module*)module)->ptx.find(std::string(".entry ") + name + "(") != std::string::npos;
    if (!is_there || found == entries().end()) return NOT_FOUND;
    *function = new Function{name, &found->second, SHARED_UNASKED};
    return SUCCESS;
}
int cuFuncSetAttribute(void* function, int attribute, int value) {
    constexpr int MAX_DYNAMIC_SHARED_SIZE_BYTES = 8;
    if (attribute != MAX_DYNAMIC_SHARED_SIZE_BYTES || value > attribute_of_card(97)) return INVALID_VALUE;
    ((Function*)function)->shared = value;
    return SUCCESS;
}
int cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, void* function, int threads, size_t shared_bytes, unsigned) {
    *blocks = shared_bytes <= ((Function*)function)->shared ? 2048 / threads : 0;
    return SUCCESS;
}

int cuStreamCreate(void** stream, unsigned) {
    Guard guard(one_at_a_time);
    static u32 made = 0;
    if (is_lost) return LAUNCH_FAILED;
    if (++made == 4 && goes_wrong("stream")) return OUT_OF_MEMORY;
    *stream = *streams.insert(new Stream).first;
    return SUCCESS;
}
int cuStreamSynchronize(void* stream) {
    Guard guard(one_at_a_time);
    finish((Stream*)stream);
    return is_lost ? LAUNCH_FAILED : SUCCESS;
}
int cuStreamDestroy_v2(void* stream) {
    Guard guard(one_at_a_time);
    if (!((Stream*)stream)->left.empty()) {
        fprintf(stderr, "nothing waited for the copies of a stream\n");
        abort();
    }
    streams.erase((Stream*)stream);
    delete (Stream*)stream;
    return SUCCESS;
}
int cuCtxSynchronize() {
    Guard guard(one_at_a_time);
    for (Stream* stream : streams) finish(stream);
    return SUCCESS;
}
int cuEventCreate(void** event, unsigned flags) {
    if (goes_wrong("clock") && !(flags & DISABLE_TIMING)) return OUT_OF_MEMORY;
    *event = new Event(new Moment{flags, nullptr, false, {}});
    return SUCCESS;
}
int cuEventRecord(void* event, void* stream) {
    Guard guard(one_at_a_time);
    Event moment = *(Event*)event;
    said.recorded++;
    moment->stream = (Stream*)stream;
    auto come = [=] {
        moment->stream = nullptr;
        moment->recorded = true;
        moment->at = milliseconds;
    };
    if (moment->stream->left.empty()) come();
    else moment->stream->left.push_back(come);
    return SUCCESS;
}
int cuEventSynchronize(void* event) {
    Guard guard(one_at_a_time);
    if ((*(Event*)event)->stream != nullptr) finish((*(Event*)event)->stream);
    return SUCCESS;
}
int cuStreamWaitEvent(void*, void* event, unsigned) {
    said.waits++;
    return cuEventSynchronize(event);
}
int cuEventElapsedTime(float* ms, void* from, void* to) {
    const Moment &begin = **(Event*)from, &end = **(Event*)to;
    if (!begin.recorded || !end.recorded || (begin.flags | end.flags) & DISABLE_TIMING) return INVALID_HANDLE;
    *ms = end.at - begin.at;
    return SUCCESS;
}
int cuEventDestroy_v2(void* event) {
    delete (Event*)event;
    return SUCCESS;
}

int cuMemGetInfo_v2(size_t* free, size_t* total) {
    *free = *total = (size_t)1 << 30;
    return SUCCESS;
}
// Makes a pool of pinned memory on the device whose number is in the properties.
int cuMemPoolCreate(void** pool, const int* properties) {
    if (goes_wrong("pool") || properties[0] != 1 || properties[1] != 0 || properties[2] != 1) return INVALID_VALUE;
    *pool = new int(properties[3]);
    said.pools++;
    said.left++;
    return SUCCESS;
}
int cuMemPoolDestroy(void* pool) {
    delete (int*)pool;
    said.left--;
    return SUCCESS;
}
int cuMemPoolSetAttribute(void*, int attribute, void* value) {
    constexpr int RELEASE_THRESHOLD = 4;
    return attribute == RELEASE_THRESHOLD && *(uint64_t*)value > 0 && !goes_wrong("threshold") ? SUCCESS : INVALID_VALUE;
}
// Allocates a piece of memory. The number of its bytes is stored in front of it.
int cuMemAllocFromPoolAsync(void** memory, size_t bytes, void*, void*) {
    if (goes_wrong("memory") || (goes_wrong("crowded") && bytes > 200 << 10)) return OUT_OF_MEMORY;
    size_t* piece = (size_t*)malloc(sizeof(size_t) + bytes + 4);
    if (piece == nullptr) return OUT_OF_MEMORY;
    *piece = bytes;
    u32 unwritten = UNWRITTEN, behind = BEHIND;
    for (size_t at = 0; at + 4 <= bytes; at += 4) memcpy((char*)(piece + 1) + at, &unwritten, 4);
    memcpy((char*)(piece + 1) + bytes, &behind, 4);
    *memory = piece + 1;
    return SUCCESS;
}
int cuMemAllocAsync(void** memory, size_t bytes, void* stream) { return cuMemAllocFromPoolAsync(memory, bytes, nullptr, stream); }
int cuMemFreeAsync(void* memory, void* stream) {
    if (is_lost) return LAUNCH_FAILED;
    cuStreamSynchronize(stream);
    size_t* piece = (size_t*)memory - 1;
    if (memcmp((char*)memory + *piece, &BEHIND, 4) != 0) {
        fprintf(stderr, "something was written behind %zu bytes\n", *piece);
        abort();
    }
    free(piece);
    return SUCCESS;
}
int cuMemHostAlloc(void** memory, size_t bytes, unsigned) {
    if (goes_wrong("locked")) return OUT_OF_MEMORY;
    if (bytes == 0) return INVALID_VALUE;
    Guard guard(one_at_a_time);
    char* piece = (char*)malloc(bytes);
    said.locked[piece] = {bytes, 0};
    said.pieces++;
    *memory = piece;
    return SUCCESS;
}
int cuMemFreeHost(void* memory) {
    Guard guard(one_at_a_time);
    auto piece = said.locked.find((char*)memory);
    if (piece == said.locked.end() || piece->second.copies > 0) {
        fprintf(stderr, "locked memory is freed that is none, or has copies under way\n");
        abort();
    }
    free(memory);
    said.locked.erase(piece);
    return SUCCESS;
}
int cuMemcpyHtoDAsync_v2(void* to, const void* from, size_t bytes, void* stream) { return copy(to, from, bytes, locked_at(from), stream); }
int cuMemcpyDtoHAsync_v2(void* to, const void* from, size_t bytes, void* stream) { return copy(to, from, bytes, locked_at(to), stream); }

int cuLaunchKernel(void* function, unsigned blocks, unsigned, unsigned, unsigned threads, unsigned, unsigned, unsigned shared_bytes, void* stream, void** arguments, void**) {
    const Function& of = *(Function*)function;
    if (blocks == 0 || threads == 0 || threads > MOST_THREADS || shared_bytes > of.shared) return INVALID_VALUE;
    Guard guard(one_at_a_time);
    if (goes_wrong("launch")) is_lost = true;
    if (is_lost) return LAUNCH_FAILED;
    static u32 launches = 0;
    if (++launches == 2 && goes_wrong("full")) return OUT_OF_MEMORY;
    finish((Stream*)stream);
    said.of[of.name]++;
    milliseconds += of.name.rfind("invert", 0) == 0 ? 1 : 2;
    launch(blocks, threads, shared_bytes / sizeof(u32), false, [&] { (*of.run)(arguments); });
    return SUCCESS;
}
}
