/**
 * Calls over HTTP to others, with limits of size and time, and the certificates that they are checked by.
 */
@NullMarked
package dev.laurel.platform.client;

import org.jspecify.annotations.NullMarked;
