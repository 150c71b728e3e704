/**
 * Pure decisions about the notification of ranks and changes of leaderboards: what webhooks were notified of, what differs,
 * and when the next notification is due. Not here: the stores and processors of the throttle.
 */
@NullMarked
package dev.laurel.processors.core.throttle;

import org.jspecify.annotations.NullMarked;
