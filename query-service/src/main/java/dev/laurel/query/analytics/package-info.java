/** Reports of analytics, made from the counters of an account and from rankings of users (docs/analytics.md). Must not read users. */
@NullMarked
package dev.laurel.query.analytics;

import org.jspecify.annotations.NullMarked;
