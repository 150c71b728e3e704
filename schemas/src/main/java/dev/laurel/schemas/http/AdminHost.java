package dev.laurel.schemas.http;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;

/**
 * Gives requests for one host name the admin API at {@code /v1}: for clients that know of two names of a service, not of two
 * paths (sdk-notes.md §1). Everything behind sees {@code /admin/v1}.
 */
record AdminHost(String name) implements Filter {

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        var asked = (HttpServletRequest) request;
        String path = asked.getRequestURI();
        boolean isMeant = (path.equals("/v1") || path.startsWith("/v1/"))
                && name.equalsIgnoreCase(asked.getServerName());
        chain.doFilter(isMeant ? new Moved(asked) : request, response);
    }

    private static final class Moved extends HttpServletRequestWrapper {

        Moved(HttpServletRequest request) {
            super(request);
        }

        @Override
        public String getRequestURI() {
            return "/admin" + super.getRequestURI();
        }
    }
}
