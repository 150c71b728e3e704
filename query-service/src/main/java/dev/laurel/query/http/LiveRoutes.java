package dev.laurel.query.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.RequestParameters;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.query.analytics.EffectFeed;
import dev.laurel.query.analytics.EffectFeed.Filter;
import dev.laurel.query.analytics.EffectSource;
import dev.laurel.schemas.key.UserId;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code GET /admin/v1/analytics/live}: effects as they happen, by Server-Sent Events (docs/analytics.md §3). */
final class LiveRoutes implements Routes {

    private static final Logger LOG = LoggerFactory.getLogger(LiveRoutes.class);
    private static final int MAX_LISTENERS = 256;
    private static final int MAX_PER_SECOND = 50;
    private static final Duration POLL = Duration.ofMillis(250);

    /** Shorter than the time after which an idle connection is closed. */
    private static final Duration SILENCE = Duration.ofSeconds(15);

    private final EffectSource source;
    private final Semaphore free = new Semaphore(MAX_LISTENERS);
    private final Set<EffectFeed> feeds = ConcurrentHashMap.newKeySet();
    private volatile boolean isStopping;

    /** @param clientProperties settings of the Kafka clients */
    LiveRoutes(Map<String, Object> clientProperties) {
        this.source = new EffectSource(clientProperties);
    }

    @Override
    public void mount(RouteTable routes) {
        routes.get("/admin/v1/analytics/live", RequiredRole.VIEWER, this::live);
    }

    /** Ends the responses in progress; their clients connect again, to another node. */
    @Override
    public void beginStop() {
        isStopping = true;
        feeds.forEach(EffectFeed::stop);
    }

    private void live(Context context) {
        var filter = new Filter(Caller.of(context).tenant(), types(context), user(context));
        if (!free.tryAcquire()) {
            throw HttpRefusal.busy("This node serves " + MAX_LISTENERS + " live feeds, which is its limit.");
        }
        try (var feed = new EffectFeed(source, filter, context.header("Last-Event-ID"))) {
            feeds.add(feed);
            try {
                context.status(200).contentType("text/event-stream").header("Cache-Control", "no-store");
                if (!isStopping) {
                    // The stream of Javalin keeps small pieces until the end.
                    new Stream(feed, context.res().getOutputStream()).run();
                }
            } catch (IOException e) {
                LOG.debug("A listener of the live feed has gone: {}", e.toString());
            } finally {
                feeds.remove(feed);
            }
        } finally {
            free.release();
        }
    }

    private static Set<String> types(Context context) {
        var types = new LinkedHashSet<String>(RequestParameters.list(context, "type"));
        for (String type : types) {
            if (!EffectFeed.TYPES.contains(type)) {
                throw new HttpRefusal(
                        422,
                        "type has '" + type + "', must be one or more of " + String.join(", ", EffectFeed.TYPES) + ".");
            }
        }
        return types;
    }

    private static @Nullable UserId user(Context context) {
        String user = context.queryParam("user");
        if (user == null || user.isEmpty()) {
            return null;
        }
        String problem = UserId.problemWith(user);
        if (problem != null) {
            throw new HttpRefusal(422, "user " + problem + ".");
        }
        return new UserId(user);
    }

    /** Writes the effects of a feed until the client or the server goes. At most so many a second; the others are counted. */
    private static final class Stream {

        private static final byte[] BEFORE_EFFECT = "event: effect\ndata: ".getBytes(UTF_8);
        private static final byte[] AFTER_EFFECT = "\n\n".getBytes(UTF_8);

        private final EffectFeed feed;
        private final OutputStream out;
        private String position;
        private long secondNs = System.nanoTime();
        private long writtenNs = secondNs;
        private long flushedNs;
        private int sent;
        private long omitted;

        Stream(EffectFeed feed, OutputStream out) {
            this.feed = feed;
            this.out = out;
            this.position = feed.position();
        }

        void run() throws IOException {
            // A client that is cut off before the first effect continues from here.
            write("id: " + position + "\n\n");
            out.flush();
            while (!feed.isStopped()) {
                for (byte[] effect : feed.poll(POLL)) {
                    if (sent < MAX_PER_SECOND) {
                        sent++;
                        writeEffect(effect);
                    } else {
                        omitted++;
                    }
                }
                endSecond();
                if (writtenNs != flushedNs) {
                    out.flush();
                    flushedNs = writtenNs;
                }
            }
        }

        private void endSecond() throws IOException {
            long nowNs = System.nanoTime();
            if (nowNs - secondNs < Duration.ofSeconds(1).toNanos()) {
                return;
            }
            if (omitted > 0) {
                write("event: omitted\ndata: {\"count\":" + omitted + "}\n\n");
            }
            String reached = feed.position();
            if (!reached.equals(position)) {
                position = reached;
                write("id: " + position + "\n\n");
            } else if (nowNs - writtenNs >= SILENCE.toNanos()) {
                write(":\n\n");
            }
            secondNs = nowNs;
            sent = 0;
            omitted = 0;
        }

        private void writeEffect(byte[] effect) throws IOException {
            out.write(BEFORE_EFFECT);
            out.write(effect);
            out.write(AFTER_EFFECT);
            writtenNs = System.nanoTime();
        }

        private void write(String text) throws IOException {
            out.write(text.getBytes(UTF_8));
            writtenNs = System.nanoTime();
        }
    }
}
