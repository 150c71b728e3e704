/** The way from the topics of direct producers into the log: what they may write, and the transactions that take it over. */
@NullMarked
package dev.laurel.processors.intake;

import org.jspecify.annotations.NullMarked;
