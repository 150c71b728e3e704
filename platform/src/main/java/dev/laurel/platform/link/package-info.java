/**
 * The page behind links in emails, and the limit of its use.
 */
@NullMarked
package dev.laurel.platform.link;

import org.jspecify.annotations.NullMarked;
