/**
 * Keys and signed values by which callers are known: application keys, sessions, links of emails, and the key of peers. Knows no HTTP.
 */
@NullMarked
package dev.laurel.platform.access;

import org.jspecify.annotations.NullMarked;
