(printout t "falls to the prompt" crlf)
