package dev.laurel.bench;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GarbageCollectorMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import dev.laurel.processors.store.BoundedRocksDb;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/**
 * Measures the memory of this process. The heap after a garbage collection is reported by the JVM on its own thread;
 * no collection is requested, because that would pause the load. One thread takes samples.
 */
final class MemoryGauge implements AutoCloseable {
    private static final long NONE = Long.MAX_VALUE;

    private final Set<String> heapPools = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP).map(pool -> pool.getName())
            .collect(Collectors.toUnmodifiableSet());
    private final List<BufferPoolMXBean> buffers = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class);
    private final NotificationListener listener = (notification, _) -> collected(notification);
    private final List<NotificationEmitter> collectors;
    private final AtomicLong leastAfterGc = new AtomicLong(NONE);
    private long lastAfterGc;

    MemoryGauge() {
        collectors = ManagementFactory.getPlatformMXBeans(GarbageCollectorMXBean.class).stream()
                .map(NotificationEmitter.class::cast).toList();
        collectors.forEach(collector -> collector.addNotificationListener(listener, null, null));
    }

    private void collected(Notification notification) {
        if (notification.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
            long left = GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData()).getGcInfo()
                    .getMemoryUsageAfterGc().entrySet().stream().filter(pool -> heapPools.contains(pool.getKey()))
                    .mapToLong(pool -> pool.getValue().getUsed()).sum();
            leastAfterGc.accumulateAndGet(left, Math::min);
        }
    }

    SoakReport.Sample.Memory sample() {
        long left = leastAfterGc.getAndSet(NONE);
        if (left != NONE) {
            lastAfterGc = left;
        }
        return new SoakReport.Sample.Memory(ResourceMeter.memory("VmRSS:"), ResourceMeter.memory("RssAnon:"),
                lastAfterGc,
                ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage().getUsed(), buffers("direct"),
                buffers("mapped"), BoundedRocksDb.usedBytes());
    }

    private long buffers(String name) {
        return buffers.stream().filter(pool -> pool.getName().equals(name)).mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }

    static int threads() {
        return ManagementFactory.getThreadMXBean().getThreadCount();
    }

    /** Returns 0 if the system does not report it. */
    static long openFiles() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getOpenFileDescriptorCount()
                : 0;
    }

    @Override
    public void close() {
        try {
            for (NotificationEmitter collector : collectors) {
                collector.removeNotificationListener(listener);
            }
        } catch (ListenerNotFoundException e) {
            throw new IllegalStateException("The listener was added by the constructor", e);
        }
    }
}
