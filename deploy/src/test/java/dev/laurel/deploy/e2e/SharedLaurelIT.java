package dev.laurel.deploy.e2e;

import org.junit.platform.suite.api.SelectClasses;
import org.junit.platform.suite.api.Suite;

/**
 * Runs all classes with {@link SharedLaurel} one after the other in one process, where their instance starts once instead of for each of
 * them. They are excluded from the run of all classes, and can be run alone, as with {@code -Dit.test=AuditIT}; Failsafe does not know this
 * class by that option, because it compares names with those of the classes in it.
 */
@Suite
@SelectClasses({
    RequiredRoleStoriesIT.class,
    AuditIT.class,
    EventStoriesIT.class,
    GatewayStoriesIT.class,
    LiveFeedIT.class,
    LogStoriesIT.class,
    MetricsIT.class,
    RulesetTableIT.class,
    RulesetWriterIT.class,
    SystemIT.class,
    TablesOnDiskIT.class,
    LocalRecordsIT.class,
    UserStoriesIT.class
})
final class SharedLaurelIT {}
