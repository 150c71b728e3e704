/**
 * The single writer of ruleset versions, keys and secrets, which applies edits in their order. The schemas module decides
 * the result of an edit.
 */
@NullMarked
package dev.laurel.processors.publish;

import org.jspecify.annotations.NullMarked;
