/**
 * Makes bodies of the API, webhooks and messages from a user's state and the rules. Pure. Must not contain JSON or HTTP, or
 * change a state.
 */
@NullMarked
package dev.laurel.core.view;

import org.jspecify.annotations.NullMarked;
