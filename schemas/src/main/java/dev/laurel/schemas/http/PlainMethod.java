package dev.laurel.schemas.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;

/**
 * A request with the method that it has. Javalin lets a header say another one, which none of our clients does, and which
 * would let whoever may send a GET through a proxy send a DELETE; and it answers HEAD with 200 where it has a route for GET,
 * whatever that would answer. Here HEAD runs as GET, and the server leaves out the body.
 */
final class PlainMethod extends HttpServletRequestWrapper {

    private static final String OVERRIDE = "X-HTTP-Method-Override";

    private PlainMethod(HttpServletRequest request) {
        super(request);
    }

    /** The same request, if there is nothing to hide. */
    static HttpServletRequest of(HttpServletRequest request) {
        return request.getMethod().equals("HEAD") || request.getHeader(OVERRIDE) != null
                ? new PlainMethod(request)
                : request;
    }

    @Override
    public String getMethod() {
        String method = super.getMethod();
        return method.equals("HEAD") ? "GET" : method;
    }

    @Override
    public String getHeader(String name) {
        return name.equalsIgnoreCase(OVERRIDE) ? null : super.getHeader(name);
    }
}
