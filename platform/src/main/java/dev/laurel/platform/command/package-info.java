/**
 * What a command tells the person who runs it: its progress, and why it failed; and what it does to its files.
 */
@NullMarked
package dev.laurel.platform.command;

import org.jspecify.annotations.NullMarked;
