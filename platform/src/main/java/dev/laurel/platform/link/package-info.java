/**
 * The page behind links in emails, and the limits of its use.
 */
@NullMarked
package dev.laurel.platform.link;

import org.jspecify.annotations.NullMarked;
