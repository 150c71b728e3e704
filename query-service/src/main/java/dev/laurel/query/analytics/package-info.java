/**
 * Reports of analytics, made from the counters of an account, and from rankings of users and figures of leaderboards that all nodes are asked for
 * (docs/analytics.md). Must not read users.
 */
@NullMarked
package dev.laurel.query.analytics;

import org.jspecify.annotations.NullMarked;
