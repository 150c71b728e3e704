/**
 * Bodies of the API, webhooks and messages, made of a user's state and the rules. Pure. Not here: JSON, HTTP, and anything
 * that changes a state.
 */
@NullMarked
package dev.laurel.processors.core.view;

import org.jspecify.annotations.NullMarked;
