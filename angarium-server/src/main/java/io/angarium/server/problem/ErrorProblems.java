package io.angarium.server.problem;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RequestMapping;

/** What nobody else answered, as a problem like all others. */
@Controller
final class ErrorProblems implements ErrorController {
  private static final int NOT_FOUND = 404;

  @RequestMapping("${spring.web.error.path:${error.path:/error}}")
  void error(HttpServletRequest request, HttpServletResponse response) throws IOException {
    Object status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
    Problems.write(
        request, response, Problems.ofStatus(status instanceof Integer known ? known : NOT_FOUND));
  }
}
