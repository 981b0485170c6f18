package io.angarium.messagecentre.orders;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** What the shop's customers do. Thread-safe. */
@RestController
class OrderController {
  private static final long CENTS = 1_250;

  private final Payments payments;
  private final Refunds refunds;

  OrderController(Payments payments, Refunds refunds) {
    this.payments = payments;
    this.refunds = refunds;
  }

  @GetMapping("/ready")
  String ready() {
    return "yes";
  }

  @PostMapping("/orders/{order}/payment")
  void pay(@PathVariable long order, @RequestParam Trouble.Kind trouble) {
    payments.pay(new OrderPaid(order, CENTS), trouble);
  }

  @PostMapping("/orders/{order}/refund")
  void refund(@PathVariable long order, @RequestParam Trouble.Kind trouble) {
    refunds.refund(order, trouble);
  }

  @ExceptionHandler
  @ResponseStatus(HttpStatus.CONFLICT)
  String refused(IllegalStateException e) {
    return String.valueOf(e.getMessage());
  }
}
