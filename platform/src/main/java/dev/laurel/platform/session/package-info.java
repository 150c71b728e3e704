/**
 * Sign-in and sessions (docs/operations/security.md, Sessions): what a browser exchanges a key, a one-time link or the word of a provider
 * for.
 */
@NullMarked
package dev.laurel.platform.session;

import org.jspecify.annotations.NullMarked;
