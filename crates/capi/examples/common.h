/* Functions that the examples share: they read lines of hexadecimal words, and end the program with the text of an error. */

#ifndef EXAMPLES_COMMON_H
#define EXAMPLES_COMMON_H

#include <bilinear.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends the program if a call has failed. The error is passed by its address, since `must` may be called with the call itself as `code`: the
 * error is then read after the call. */
static inline void must(bilinear_code code, bilinear_error **error) {
    if (code != BILINEAR_OK) {
        fprintf(stderr, "%s: %s\n", bilinear_code_name(code), bilinear_error_message(*error));
        bilinear_error_free(*error);
        exit(2);
    }
}

/* Allocates zeroed memory. Ends the program if there is none, so that the caller need not test for NULL. */
static inline void *room(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size ? size : 1);
    if (!memory) {
        fputs("no memory\n", stderr);
        exit(2);
    }
    return memory;
}

/* Returns the size of an element of a group. */
static inline size_t size_of(const bilinear_context *context, int32_t group, const char *encoding) {
    bilinear_error *error;
    size_t size;
    must(bilinear_size(context, group, encoding, &size, &error), &error);
    return size;
}

static inline int digit(char c) {
    const char *digits = "0123456789abcdef", *found = c ? strchr(digits, c) : NULL;
    return found ? (int)(found - digits) : -1;
}

/* Reads a hexadecimal word of `size` bytes. Ends the program with the number of the line if the word is wrong. */
static inline void read_word(const char *word, uint8_t *bytes, size_t size, size_t line) {
    if (!word || strlen(word) != 2 * size) {
        fprintf(stderr, "line %zu: a word of %zu bytes is expected\n", line, size);
        exit(2);
    }
    for (size_t i = 0; i < size; i++) {
        int high = digit(word[2 * i]), low = digit(word[2 * i + 1]);
        if (high < 0 || low < 0) {
            fprintf(stderr, "line %zu: not hexadecimal\n", line);
            exit(2);
        }
        bytes[i] = (uint8_t)(16 * high + low);
    }
}

static inline void print_bytes(const uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) printf("%02x", bytes[i]);
    putchar('\n');
}

/* All lines of the input, without their line ends. */
typedef struct {
    char **lines;
    size_t count;
} text;

static inline text read_text(FILE *input) {
    text read = {NULL, 0};
    char *line = NULL;
    size_t capacity = 0;
    while (getline(&line, &capacity, input) >= 0) {
        line[strcspn(line, "\r\n")] = 0;
        char **more = realloc(read.lines, (read.count + 1) * sizeof *more);
        char *copy = room(strlen(line) + 1, 1);
        if (!more) exit(2);
        read.lines = more;
        read.lines[read.count++] = strcpy(copy, line);
    }
    free(line);
    return read;
}

static inline void free_text(text read) {
    for (size_t i = 0; i < read.count; i++) free(read.lines[i]);
    free(read.lines);
}

#endif
