package io.angarium.server.problem;

import io.angarium.http.half.HalfJson;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.coyote.ActionCode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What Tomcat itself refuses, as a problem like all others and not as a page. Public, as Tomcat
 * makes it by its name. Thread-safe.
 */
public final class ProblemReport extends ErrorReportValve {
  private static final Logger LOG = LoggerFactory.getLogger(ProblemReport.class);

  @Override
  protected void report(Request request, Response response, @Nullable Throwable failure) {
    int status = response.getStatus();
    if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
      return;
    }
    AtomicBoolean permitted = new AtomicBoolean();
    response.getCoyoteResponse().action(ActionCode.IS_IO_ALLOWED, permitted);
    if (!permitted.get()) {
      return;
    }
    ProblemException problem = Problems.ofStatus(status);
    byte[] body =
        HalfJson.problem(status, problem.code(), String.valueOf(problem.getMessage()), List.of());
    try {
      response.setContentType(Problems.TYPE);
      response.setContentLength(body.length);
      response.getOutputStream().write(body);
      response.finishResponse();
    } catch (IOException | IllegalStateException e) {
      LOG.debug("An answer could not be written", e);
    }
  }
}
