package dev.laurel.deploy.tools.replay;

import dev.laurel.processors.core.compare.UserComparison;

/** Where each difference goes as it is found. Fails unchecked where it cannot be written. */
interface ReportSink extends AutoCloseable {

    void add(UserComparison comparison);

    /** All users were added. */
    void end(ReplayReport report);

    @Override
    void close();
}
