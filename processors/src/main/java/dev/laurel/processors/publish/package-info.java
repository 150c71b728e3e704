/**
 * The single writer of ruleset versions, keys and secrets, which applies edits in their order. What an edit means is decided in the
 * schemas module.
 */
@NullMarked
package dev.laurel.processors.publish;

import org.jspecify.annotations.NullMarked;
