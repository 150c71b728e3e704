/**
 * The topology of the boards application and its task, which reads scores, ranks users in the groups of leaderboards, and sends ranks
 * and effects. Classes marked "one task, one thread" are created anew at each start of a task.
 */
@NullMarked
package dev.laurel.processors.boards;

import org.jspecify.annotations.NullMarked;
