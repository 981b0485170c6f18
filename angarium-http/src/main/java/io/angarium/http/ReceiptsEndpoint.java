package io.angarium.http;

import io.angarium.TimeSource;
import io.angarium.confirmation.ReceiptIntake;
import io.angarium.http.signature.HttpSignature;
import io.angarium.http.signature.SignatureCheck;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The producer's side of receipts over HTTP: takes the body of a {@code POST}, which names the
 * messages that a consumer has processed, the id of one in each line, for whatever web framework an
 * application has. Blocks while the database does. Thread-safe.
 */
public final class ReceiptsEndpoint {
  private static final int TAKEN = 204;
  private static final int NOT_SIGNED = 401;
  private static final int NOT_TAKEN_NOW = 503;

  private final ReceiptIntake intake;
  private final SignatureCheck signatures = new SignatureCheck("Receipts", TimeSource.SYSTEM);

  /** Creates one that gives what comes to this intake. */
  public ReceiptsEndpoint(ReceiptIntake intake) {
    this.intake = intake;
  }

  /**
   * Takes receipts from anybody. Lines that are no ids are logged and passed over, and the others
   * taken.
   *
   * @param body as it came, byte for byte
   * @return the status to answer: 204 if they are noted, 503 if the database takes none at present;
   *     the sender then sends them again
   */
  public int accept(byte[] body) {
    return intake.taken("HTTP", List.of(body)) ? TAKEN : NOT_TAKEN_NOW;
  }

  /**
   * Takes receipts if they are signed with one of the secrets. Why others are refused is logged,
   * each reason once a minute at most.
   *
   * @param headers gives the value of a header of the request, null if it has none
   * @param body as it came, byte for byte
   * @param now for the age of the signature, which is at most the tolerance of {@code signature}
   * @return the status to answer: as {@link #accept}, or 401 for a signature that is missing, wrong
   *     or too old, in which case nothing is taken
   */
  public int acceptSigned(
      HttpSignature signature,
      Function<String, @Nullable String> headers,
      byte[] body,
      Instant now) {
    return signatures.passes(signature, headers, body, now) ? accept(body) : NOT_SIGNED;
  }
}
