/*
 * Decodes JPEGs by libjpeg-turbo, whole or only a box of each: the contestant of bench/python/jpeg.py.
 *
 *     cc -O2 libjpeg.c -o libjpeg -ljpeg && ./libjpeg LIST
 *
 * LIST has a line "PATH X Y WIDTH HEIGHT" for each picture. For each line "full" or "crop" of the input it decodes all of
 * them once, and prints the microseconds of processor time for one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <jpeglib.h>

struct picture {
    unsigned char *bytes;
    size_t size;
    JDIMENSION x, y, width, height;
};

static struct picture *pictures;
static int count;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void read_picture(struct picture *to, const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) fail(path);
    fseek(file, 0, SEEK_END);
    to->size = ftell(file);
    rewind(file);
    to->bytes = malloc(to->size);
    if (!to->bytes || fread(to->bytes, 1, to->size, file) != to->size) fail(path);
    fclose(file);
}

static void read_list(const char *name) {
    char path[4096];
    unsigned x, y, width, height;
    FILE *list = fopen(name, "r");
    if (!list) fail(name);
    while (fscanf(list, "%4095s %u %u %u %u", path, &x, &y, &width, &height) == 5) {
        pictures = realloc(pictures, (count + 1) * sizeof *pictures);
        if (!pictures) fail("memory");
        pictures[count] = (struct picture){.x = x, .y = y, .width = width, .height = height};
        read_picture(&pictures[count++], path);
    }
    fclose(list);
}

/* Rows outside the box are skipped, and columns left out, as far as libjpeg can: at the borders of its blocks. */
static void decode(struct jpeg_decompress_struct *jpeg, const struct picture *p, int crop, unsigned char *out) {
    jpeg_mem_src(jpeg, p->bytes, p->size);
    jpeg_read_header(jpeg, TRUE);
    jpeg->out_color_space = JCS_RGB;
    jpeg_start_decompress(jpeg);
    JDIMENSION end = jpeg->output_height;
    if (crop) {
        JDIMENSION x = p->x, width = p->width;
        jpeg_crop_scanline(jpeg, &x, &width);
        jpeg_skip_scanlines(jpeg, p->y);
        end = p->y + p->height;
    }
    size_t stride = (size_t)jpeg->output_width * 3;
    for (; jpeg->output_scanline < end; out += stride) {
        JSAMPROW row = out;
        jpeg_read_scanlines(jpeg, &row, 1);
    }
    jpeg_abort_decompress(jpeg);
}

static double processor_micros(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: libjpeg LIST\n");
        return 2;
    }
    read_list(argv[1]);
    unsigned char *out = malloc((size_t)4000 * 4000 * 3);
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&jpeg);
    char line[16];
    while (fgets(line, sizeof line, stdin)) {
        int crop = strncmp(line, "crop", 4) == 0;
        double start = processor_micros();
        for (int i = 0; i < count; i++) decode(&jpeg, &pictures[i], crop, out);
        printf("%f\n", (processor_micros() - start) / count);
        fflush(stdout);
    }
    return 0;
}
