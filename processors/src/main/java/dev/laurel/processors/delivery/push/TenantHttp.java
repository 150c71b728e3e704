package dev.laurel.processors.delivery.push;

import dev.laurel.schemas.key.TenantId;
import java.net.URI;

/** Requests on behalf of a tenant, which has its share of what is under way at each service. Thread-safe. */
record TenantHttp(PushHttp http, TenantId tenant) {

    HttpAnswer postJson(URI uri, String bearer, Object body) throws InterruptedException {
        return http.postJson(tenant, uri, bearer, body);
    }

    HttpAnswer postForm(URI uri, String form) throws InterruptedException {
        return http.postForm(tenant, uri, form);
    }
}
