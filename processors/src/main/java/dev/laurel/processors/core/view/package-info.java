/**
 * Bodies of the API, webhooks and messages, made of a user's state and the rules. Pure. Not here: JSON, HTTP, and anything
 * that changes a state.
 */
package dev.laurel.processors.core.view;
