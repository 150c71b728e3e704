package dev.laurel.schemas.http;

import io.javalin.config.RoutesConfig;

/** A part of the HTTP interface, to be mounted on a {@link HttpServer}. */
public interface Routes {

    void mount(RoutesConfig routes);
}
