package dev.laurel.deploy.tools.imports;

import java.time.Duration;

/**
 * What one run of an import did.
 *
 * @param found in the log already, though not noted
 * @param complete false if it was stopped before the end of the source
 */
record ImportResult(long written, long found, long refused, Duration elapsed, boolean complete) {}
