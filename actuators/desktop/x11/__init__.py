"""The desktop of X11: EWMH and RandR through python-xlib, input through XTEST and pyautogui, pixels through mss."""
