package dev.laurel.processors.delivery.push;

import dev.laurel.schemas.admin.ServiceAccountKey;
import dev.laurel.schemas.input.BadInputException;
import java.net.URI;
import java.time.Instant;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.NumericDate;
import org.jose4j.lang.JoseException;

/** A Google service account, which signs assertions with its key. */
final class ServiceAccount {

    private static final String SCOPE = "https://www.googleapis.com/auth/firebase.messaging";
    private static final int LIFETIME_SECONDS = 3600;

    private final ServiceAccountKey account;

    private ServiceAccount(ServiceAccountKey account) {
        this.account = account;
    }

    /** @throws BadInputException if it is not a service account, or its key cannot sign */
    static ServiceAccount read(String json) throws BadInputException {
        return new ServiceAccount(ServiceAccountKey.read(json));
    }

    String project() {
        return account.project();
    }

    /** The assertion that is exchanged for an access token (RFC 7523). */
    String assertion(URI audience, Instant now) {
        var claims = new JwtClaims();
        claims.setIssuer(account.email());
        claims.setAudience(audience.toString());
        claims.setStringClaim("scope", SCOPE);
        claims.setIssuedAt(NumericDate.fromSeconds(now.getEpochSecond()));
        claims.setExpirationTime(NumericDate.fromSeconds(now.getEpochSecond() + LIFETIME_SECONDS));
        try {
            return sign(claims.toJson());
        } catch (JoseException e) {
            throw new IllegalStateException("a key that is long enough to sign", e);
        }
    }

    private String sign(String payload) throws JoseException {
        var signature = new JsonWebSignature();
        signature.setAlgorithmHeaderValue(AlgorithmIdentifiers.RSA_USING_SHA256);
        signature.setKeyIdHeaderValue(account.keyId());
        signature.setHeader("typ", "JWT");
        signature.setKey(account.key());
        signature.setPayload(payload);
        return signature.getCompactSerialization();
    }
}
