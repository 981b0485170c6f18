package io.angarium.console.internal.http;

import io.angarium.console.internal.json.RecordJson;
import io.angarium.console.internal.problem.Problem;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes answers, problems and files. Thread-safe. */
public final class AnswerWriter {
  private static final String IMMUTABLE = "public, max-age=31536000, immutable";

  private final RecordJson json = new RecordJson();
  private final String version;

  public AnswerWriter(String version) {
    this.version = version;
  }

  /** A problem as RFC 9457 has it. Immutable. */
  record ProblemJson(int status, String code, String title, String detail) {}

  /** Writes an answer of the API. */
  public void write(HttpServletResponse response, Answer answer) throws IOException {
    response.setStatus(answer.status());
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("Angarium-Version", version);
    answer.headers().forEach(response::setHeader);
    Object body = answer.body();
    if (body instanceof byte[] bytes) {
      send(response, bytes);
    } else if (body instanceof Answer.Stream stream) {
      stream.to(response.getOutputStream());
    } else if (body != null) {
      response.setContentType("application/json");
      send(response, json.bytes(body));
    }
  }

  /** Writes a problem, unless an answer has begun: then its end is missing. */
  public void problem(HttpServletResponse response, Problem problem) throws IOException {
    if (response.isCommitted()) {
      return;
    }
    response.setStatus(problem.status());
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("Angarium-Version", version);
    response.setContentType("application/problem+json");
    @Nullable Duration retryAfter = problem.retryAfter();
    if (retryAfter != null) {
      response.setHeader("Retry-After", String.valueOf(Math.max(1, retryAfter.toSeconds())));
    }
    String title = problem.code().toLowerCase(Locale.ROOT).replace('_', ' ');
    send(
        response,
        json.bytes(new ProblemJson(problem.status(), problem.code(), title, problem.detail())));
  }

  /** Writes a file of the page. */
  public void file(
      HttpServletRequest request,
      HttpServletResponse response,
      PageAssets.Asset file,
      boolean immutable)
      throws IOException {
    boolean packed = String.valueOf(request.getHeader("Accept-Encoding")).contains("gzip");
    response.setContentType(file.type());
    response.setHeader("Cache-Control", immutable ? IMMUTABLE : "no-cache");
    response.setHeader("Vary", "Accept-Encoding");
    if (packed) {
      response.setHeader("Content-Encoding", "gzip");
    }
    send(response, packed ? file.packed() : file.plain());
  }

  private static void send(HttpServletResponse response, byte[] bytes) throws IOException {
    response.setContentLength(bytes.length);
    response.getOutputStream().write(bytes);
  }
}
