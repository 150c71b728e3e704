/**
 * Reports of analytics (docs/analytics.md), made from the counters of an account, and from rankings of users and figures of leaderboards
 * that all nodes are asked for. Must not read users.
 */
@NullMarked
package dev.laurel.query.analytics;

import org.jspecify.annotations.NullMarked;
