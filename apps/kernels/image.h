/* SPDX-License-Identifier: Apache-2.0 */
/* image.h: writes levels 0..255 through a colour map as a PNG or PPM
 * picture. */
#ifndef KERNELS_IMAGE_H
#define KERNELS_IMAGE_H

/* Returns 1 if the name ends in .png or .ppm and this build can write that
 * format. */
int image_supported(const char *path);

/* Writes nx x ny levels, row by row from the top, in the format of the name.
 * Returns 0, or -1 with errno. Local. */
int image_write(const char *path, const unsigned char *levels, int nx, int ny);

#endif
