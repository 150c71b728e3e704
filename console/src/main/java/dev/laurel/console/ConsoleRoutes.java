package dev.laurel.console;

import dev.laurel.console.ConsoleFiles.ConsoleFile;
import dev.laurel.platform.http.Answers;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.platform.http.RouteTable.Routes;
import io.javalin.http.Context;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Locale;
import java.util.zip.GZIPInputStream;

/**
 * Serves the console at {@code /console/}, without a key: its pages have no data before somebody signs in. The page itself is
 * never kept by browsers; the other files have names with a hash of their content, and are kept for a year.
 *
 * <p>Also serves the elements for the pages of products at {@code /elements/}, without a key and to pages of any origin
 * (docs/elements.md): {@code laurel.js}, which browsers ask for again each time, what it imports, and a page that shows them.
 */
public final class ConsoleRoutes implements Routes {

    /**
     * Only what comes from this server, nothing inline, and no other page may show this one in a frame. Images of badges are
     * links, which are not loaded.
     */
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
                    + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    /** For names with a hash of the content. */
    private static final String YEAR = "public, max-age=31536000, immutable";

    private static final String MODULE = "laurel.js";

    /** Read at the first request, so that a process nobody opens the console of does without them. */
    private static final class Console {
        private static final ConsoleFiles FILES = ConsoleFiles.read("console");
    }

    /** Read at the first request, as for the console. */
    private static final class Elements {
        private static final ConsoleFiles FILES = ConsoleFiles.read("elements", MODULE);
    }

    @Override
    public void mount(RouteTable routes) {
        routes.get("/console", RequiredRole.PUBLIC, context -> answerPage(context, "/console/", Console.FILES));
        routes.get("/console/{file}", RequiredRole.PUBLIC, ConsoleRoutes::file);
        routes.get("/elements", RequiredRole.PUBLIC, context -> answerPage(context, "/elements/", Elements.FILES));
        routes.get("/elements/{file}", RequiredRole.PUBLIC, ConsoleRoutes::element);
    }

    /** @param address the address of the page, which names its files relative to it */
    private static void answerPage(Context context, String address, ConsoleFiles files) {
        if (!context.path().endsWith("/")) {
            context.redirect(address);
            return;
        }
        context.header("Content-Security-Policy", POLICY);
        answer(context, files.page(), "no-cache");
    }

    private static void file(Context context) {
        ConsoleFile file = Console.FILES.file(context.pathParam("file"));
        if (file == null) {
            throw new HttpRefusal(404, "The console has no such file; open /console/ again.");
        }
        answer(context, file, YEAR);
    }

    private static void element(Context context) {
        String name = context.pathParam("file");
        ConsoleFile file = Elements.FILES.file(name);
        // Browsers load modules of another origin only with it.
        context.header("Access-Control-Allow-Origin", "*");
        if (file == null) {
            throw new HttpRefusal(404, "There is no such file of this version; load /elements/laurel.js again.");
        }
        if (!name.equals(MODULE)) {
            answer(context, file, YEAR);
            return;
        }
        String tag = "W/\"" + file.hash() + "\""; // weak: compressed or not
        context.header("ETag", tag);
        if (tag.equals(context.header("If-None-Match"))) {
            context.header("Cache-Control", "no-cache").status(304);
            return;
        }
        answer(context, file, "no-cache");
    }

    private static void answer(Context context, ConsoleFile file, String caching) {
        context.header("Cache-Control", caching)
                .header("X-Content-Type-Options", "nosniff")
                .header("Referrer-Policy", "no-referrer")
                .header("Vary", "Accept-Encoding");
        String accepted = context.header("Accept-Encoding");
        if (accepted != null && accepted.toLowerCase(Locale.ROOT).contains("gzip")) {
            context.header("Content-Encoding", "gzip");
            Answers.answerFile(context, file.type(), file.gzipped());
        } else {
            Answers.answerFile(context, file.type(), unpacked(file));
        }
    }

    /** For tools: every browser accepts gzip. */
    private static byte[] unpacked(ConsoleFile file) {
        try (var in = new GZIPInputStream(new ByteArrayInputStream(file.gzipped()))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new IllegalStateException("a file of the console cannot be unpacked", e);
        }
    }
}
