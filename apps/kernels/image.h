/* SPDX-License-Identifier: Apache-2.0 */
/* image.h: a picture of levels 0..255 through a colour map, as PNG or PPM. */
#ifndef KERNELS_IMAGE_H
#define KERNELS_IMAGE_H

/* 1 if the name ends in .png or .ppm and this build can write that. */
int image_supported(const char *path);

/*
 * Writes nx x ny levels, row by row from the top, in the format that the name
 * asks for. 0, or -1 with errno set. Local.
 */
int image_write(const char *path, const unsigned char *levels, int nx, int ny);

#endif
