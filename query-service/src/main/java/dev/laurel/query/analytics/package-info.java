/** Reports of analytics, made from the counters of an account (docs/analytics.md). Must not read users. */
@NullMarked
package dev.laurel.query.analytics;

import org.jspecify.annotations.NullMarked;
