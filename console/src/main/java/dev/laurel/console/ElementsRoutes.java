package dev.laurel.console;

import dev.laurel.console.ConsoleFiles.ConsoleFile;
import dev.laurel.platform.http.Access;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.platform.http.RouteTable;
import io.javalin.http.Context;

/**
 * Serves the elements for the pages of products at {@code /elements/}, without a key and to pages of any origin
 * (docs/elements.md): {@code laurel.js}, which browsers ask for again each time, what it imports, and a page that shows them.
 */
public final class ElementsRoutes implements Routes {

    private static final String MODULE = "laurel.js";

    /** Read at the first request, as for the console. */
    private static final class Holder {
        private static final ConsoleFiles FILES = ConsoleFiles.read("elements", MODULE);
    }

    @Override
    public void mount(RouteTable routes) {
        routes.get("/elements", Access.PUBLIC, ElementsRoutes::page);
        routes.get("/elements/{file}", Access.PUBLIC, ElementsRoutes::file);
    }

    private static void page(Context context) {
        ConsoleRoutes.answerPage(context, "/elements/", Holder.FILES);
    }

    private static void file(Context context) {
        String name = context.pathParam("file");
        ConsoleFile file = Holder.FILES.file(name);
        // Browsers load modules of another origin only with it.
        context.header("Access-Control-Allow-Origin", "*");
        if (file == null) {
            throw new HttpRefusal(404, "There is no such file of this version; load /elements/laurel.js again.");
        }
        if (!name.equals(MODULE)) {
            ConsoleRoutes.answer(context, file, ConsoleRoutes.YEAR);
            return;
        }
        String tag = "W/\"" + file.hash() + "\""; // weak: compressed or not
        context.header("ETag", tag);
        if (tag.equals(context.header("If-None-Match"))) {
            context.header("Cache-Control", "no-cache").status(304);
            return;
        }
        ConsoleRoutes.answer(context, file, "no-cache");
    }
}
