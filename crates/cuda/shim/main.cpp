// Runs one launch of a kernel on the host: reads 32-bit words (which `Shim::launch` in crates/cuda/tests/cuda/shim.rs writes) from
// standard input, and writes the slots. The same object file, linked as a library, is a driver (driver.hpp).
#include "driver.hpp"
#include "../kernels/all.cu"
#include "../kernels/ceilings.cu"
#include "../kernels/residues.cu"
#include "../kernels/split.cu"
#include <cstring>

static std::vector<u32> words(size_t count) {
    std::vector<u32> all(count);
    if (fread(all.data(), 4, count, stdin) != count) {
        fprintf(stderr, "the job ends too early\n");
        exit(1);
    }
    return all;
}

// Short numbers are split only in tests: into blocks of an even and of an odd number of words, over 4 and over 8 threads.
SPLIT(16, 4)
SPLIT(24, 8)

// The kernels of the driver. Kernels that measure ceilings run one round, whatever number of rounds they are given.
static const std::map<std::string, Entry>& entries() {
    static const std::map<std::string, Entry> all = {
#define OF_WORDS(N) {"single_" #N, entry(single_##N)}, {"group_" #N, entry(group_##N)}, {"invert_" #N, entry(invert_##N)},
        EACH_SIZE(OF_WORDS)
#define OF_SPLIT(N, T) {"split_" #N, entry(split_##N)}, {"invert_split_" #N, entry(invert_split_##N)},
        EACH_SPLIT(OF_SPLIT)
#define OF_RESIDUES(K) {"residues_" #K, entry(residues_##K)},
        EACH_BASE(OF_RESIDUES)
#define OF_CEILING(WHAT) {"ceiling_" #WHAT, one_round(ceiling_##WHAT)},
        OF_CEILING(multiply_adds) OF_CEILING(digits) OF_CEILING(shared) OF_CEILING(memory) OF_CEILING(records)
    };
    return all;
}

// The number of threads for each pairing that selects the kernels of residues.
constexpr u32 RESIDUE_KERNELS = 16;

// Computes the residues of sums: reads low, high and top of each sum, and c. Runs instead of a launch if the head begins with 0.
static int fold_sums(u32 count) {
    for (u32 i = 0; i < count; i++) {
        std::vector<u32> job = words(4);
        u32 made[2] = {residue(Sum{job[0], job[1], job[2]}, job[3]), residue((uint64_t)job[1] << 32 | job[0], job[3])};
        fwrite(made, 4, 2, stdout);
    }
    return 0;
}

int main() {
    std::vector<u32> head = words(19);
    if (head[0] == 0) return fold_sums(head[1]);
    u32 n = head[0], width = head[1], count = head[2], blocks = head[3], threads = head[4], backwards = head[5];
    u32 steps = head[6], from = head[7], to = head[8], each = head[9];
    u32 constant_words = head[10], slot_words = head[11], place_words = head[12];
    u32 kernel = head[13], moduli = head[14], far_words = head[15], table_words = head[16];
    u32 split = head[17], near = head[18];
    std::vector<u32> modulus = words(4 * n + 5), program = words((size_t)steps * (width == RESIDUE_KERNELS ? 1 : width) * 4), constants = words(constant_words);
    std::vector<u32> tables = words(table_words), slots = words(slot_words), places(place_words);
    bool is_group = width > 1 && width < RESIDUE_KERNELS;
    u32 side_by_side = is_group ? (threads / width + TILE - 1) / TILE * TILE : PAIRINGS;
    std::vector<u32> far((size_t)far_words * side_by_side * blocks, 0xabadcafe);
    size_t shared_words = width > 1 ? place_words : 0;
    if (shared_words > sizeof shared / 4) {
        fprintf(stderr, "%zu words do not fit the memory of a block\n", shared_words);
        return 1;
    }
    const Record* records = (const Record*)program.data();
#define RUN(N)                                                                                                         \
    if (n == N && split == 1) {                                                                                                    \
        Modulus<N> m;                                                                                                  \
        memcpy(&m, modulus.data(), sizeof m);                                                                          \
        launch(blocks, threads, shared_words, backwards, [&] {                                                         \
            if (width == 0) invert_##N(m, slots.data(), from, to, count, each);                                        \
            if (width == 1) single_##N(records, steps, constants.data(), m, places.data(), slots.data(), count);       \
            if (is_group)                                                                                              \
                group_##N(width, records, steps, constants.data(), m, near, far.data(), far_words, slots.data(), count); \
        });                                                                                                            \
    }
    EACH_SIZE(RUN)
#define RUN_SPLIT(N, T)                                                                                                \
    if (n == N && split == T) {                                                                                        \
        Modulus<N> m;                                                                                                  \
        memcpy(&m, modulus.data(), sizeof m);                                                                          \
        launch(blocks, threads, shared_words, backwards, [&] {                                                         \
            if (width == 0) invert_split_##N(m, slots.data(), from, to, count, each);                                  \
            if (width == 1) split_##N(records, steps, constants.data(), m, places.data(), slots.data(), count);        \
        });                                                                                                            \
    }
    EACH_SPLIT(RUN_SPLIT)
    RUN_SPLIT(16, 4)
    RUN_SPLIT(24, 8)
#define RUN_RESIDUES(K)                                                                                                \
    if (width == RESIDUE_KERNELS && kernel == K) {                                                                     \
        launch(blocks, threads, shared_words, backwards, [&] {                                                         \
            residues_##K(records, steps, constants.data(), tables.data(), moduli, (moduli + 3) / 4, n, far.data(),     \
                         far_words, slots.data(), count);                                                              \
        });                                                                                                            \
    }
    EACH_BASE(RUN_RESIDUES)
    fwrite(slots.data(), 4, slots.size(), stdout);
    return 0;
}
