/**
 * Reports of analytics, made from the counters of an account, from rankings of users and from figures of leaderboards
 * (docs/analytics.md). Must not read users.
 */
@NullMarked
package dev.laurel.query.analytics;

import org.jspecify.annotations.NullMarked;
